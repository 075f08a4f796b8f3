/** The types of arguments of log serializers, and of the options of a logger. */
import { type ChildLoggerOptions as PinoChildOptions, type LoggerOptions as PinoOptions, pino } from 'pino';
import type {
  ChildLoggerOptions,
  HandledError,
  LoggedReply,
  Logger,
  LoggerOptions,
  Request,
} from '../index.ts';
import { ambit } from '../index.ts';

/** Compiles only if both types are the same. */
declare function same<Expected>(): <Actual>(
  actual: Actual,
  ...proof: (<T>() => T extends Actual ? 1 : 2) extends <T>() => T extends Expected ? 1 : 2 ? [] : [never]
) => void;

// ---- serializers

interface User {
  id: string;
  password: string;
}
const app = ambit({
  logger: {
    level: 'warn',
    serializers: {
      req: (request) => {
        same<Request>()(request);
        return { method: request.method, url: request.url, agent: request.headers['user-agent'] };
      },
      res(reply) {
        same<LoggedReply>()(reply);
        same<number>()(reply.statusCode);
        // A request that is rejected while the server closes has no reply.
        same<number | undefined>()(reply.elapsedTime);
        return { status: reply.statusCode, type: reply.getHeader?.('content-type') };
      },
      err: (error) => {
        same<HandledError>()(error);
        return { code: error.code, text: error.message, status: error.statusCode };
      },
      user: (user: User) => user.id,
      size: (size: number) => size.toFixed(),
      anything: (value) => {
        same<unknown>()(value);
        return String(value);
      },
      [Symbol.for('pino.*')]: (line: object) => line,
    },
  },
});
ambit({
  // @ts-expect-error: the serializer gets a request.
  logger: { serializers: { req: (size: number) => size } },
});
// @ts-expect-error: a serializer is a function.
ambit({ logger: { serializers: { user: 'id' } } });
app.get('/', {
  logSerializers: { req: ({ id }) => id, err: (error) => error.code, user: (user: User) => user.id },
  handler: (request) => request.log.child({}, { serializers: { res: ({ statusCode }) => statusCode } }),
});
app.register(async (child) => void child, { logSerializers: { req: ({ url }) => url } });

// ---- loggers of pino

const ofPino: Logger = pino();
ambit({ loggerInstance: pino({ customLevels: { audit: 35 } }) });
ofPino.child({}, { serializers: { user: (user: User) => user.id } });

declare const ownChild: ChildLoggerOptions;
same<PinoChildOptions>()(ownChild satisfies PinoChildOptions as PinoChildOptions);

// ---- options

type Unnamed = Exclude<keyof PinoOptions, keyof LoggerOptions>;
same<never>()(undefined as unknown as Unnamed);
declare const optionsOfPino: PinoOptions;
ambit({ logger: optionsOfPino });
ambit({ logger: { ...optionsOfPino, file: '/dev/null' } });
ambit({ logger: { customLevels: { audit: 35 }, level: 'audit', transport: { target: 'pino-pretty' } } });
ambit({
  logger: {
    hooks: {
      logMethod(args, method) {
        method.apply(this, args.reverse());
      },
    },
    mixin: (_fields, level) => ({ level }),
  },
});
// @ts-expect-error: the level.
ambit({ logger: { levl: 'info' } });
// @ts-expect-error: the serializers.
ambit({ logger: { serialisers: {} } });
