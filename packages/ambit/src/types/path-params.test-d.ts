/** The parameters of a path, parsed as the router does. */

import type { Empty, ParamNames, ParamsOf } from './route-types.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function expect<_Claim extends true>(): void;

expect<Same<ParamsOf<'/users/:id'>, { id: string }>>();
expect<Same<ParamsOf<'/users/:id/posts/:post'>, { id: string; post: string }>>();
expect<Same<ParamsOf<'/'>, Empty>>();

// Several parameters in one segment, and text after one.
expect<Same<ParamsOf<'/:from-:to'>, { from: string; to: string }>>();
expect<Same<ParamsOf<'/:file.:extension'>, { file: string; extension: string }>>();
expect<Same<ParamsOf<'/:file.png'>, { file: string }>>();

// Patterns.
expect<Same<ParamsOf<'/:id(^\\d+$)'>, { id: string }>>();
expect<Same<ParamsOf<'/at/:hour(^\\d{2})h:minute(^\\d{2})m'>, { hour: string; minute: string }>>();
expect<Same<ParamsOf<'/:id(^(?:a|b)$)/:rest'>, { id: string; rest: string }>>();

// Wildcards, optional parameters, literal colons.
expect<Same<ParamsOf<'/files/*'>, { '*': string }>>();
expect<Same<ParamsOf<'*'>, { '*': string }>>();
expect<Same<ParamsOf<'/users/:id?'>, { id: string | undefined }>>();
expect<Same<ParamsOf<'/time::now/:id'>, { id: string }>>();

// A path that is not a literal type.
expect<Same<ParamsOf<string>, { [name: string]: string | undefined }>>();

expect<Same<ParamNames<'/:a/:b?'>, 'a'>>();
expect<Same<ParamNames<string>, never>>();
