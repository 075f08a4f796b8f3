// The inputs of the scenarios for peers whose documentation validates with Zod.
import { z } from 'zod';

export const params = z.object({ id: z.coerce.number().int() });

export const query = z.object({
  verbose: z.stringbool().optional(),
  limit: z.coerce.number().int().min(1).max(100),
});

const address = z.object({ city: z.string(), zip: z.string().max(10) });
const item = z.object({ sku: z.string().min(8), quantity: z.number().int().min(1), price: z.number() });

export const order = z.object({
  customer: z.object({ name: z.string().min(1), email: z.string(), address }),
  items: z.array(item).min(1),
  express: z.boolean().optional(),
  note: z.string().optional(),
});
