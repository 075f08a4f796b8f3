/** The first lines of an application on each flavor. */
export const flavors = {
  ambit: "import { ambit } from 'ambit';\nconst app = ambit();\n",
  'the facade': "import fastify from '@ambit/fastify';\nconst app = fastify();\n",
} as const;
