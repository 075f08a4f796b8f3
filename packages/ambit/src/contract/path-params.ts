/** The parameters that a path's text names, read as the router reads it. */

/** What `request.params` holds on a path without a `params` schema: `/users/:id` gives `{ id: string }`. */
export type ParamsOf<Path extends string> = string extends Path
  ? { [name: string]: string | undefined }
  : {
      [Name in NamesIn<Path> as Name extends `${infer Optional}?`
        ? Optional
        : Name]: Name extends `${string}?` ? string | undefined : string;
    };

/** The names that every URL of the path has a value for. */
export type ParamNames<Path extends string> = string extends Path
  ? never
  : Exclude<NamesIn<Path>, `${string}?`>;

/** A name goes on to the next `/`, `-`, `.` or `(`; two colons are one in the text; `*` can only stand at the end. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `:${infer AfterColon}`
    ? NamesIn<AfterColon>
    : NamesFrom<Before<Before<Before<Before<Rest, '/'>, '('>, '-'>, '.'>, Rest>
  : Path extends `${string}*`
    ? '*'
    : never;

type Before<Text extends string, Mark extends string> = Text extends `${infer Head}${Mark}${string}`
  ? Head
  : Text;

type NamesFrom<Name extends string, Text extends string> = Text extends `${Name}${infer Rest}`
  ? Name | NamesIn<Rest extends `(${infer Pattern}` ? AfterPattern<Pattern> : Rest>
  : never;

/** What follows the parenthesis that closes a pattern. Each one that opens inside has to be closed first. */
type AfterPattern<
  Text extends string,
  Open extends readonly unknown[] = [],
> = Text extends `${infer Head})${infer Rest}`
  ? [...Open, ...OpensIn<Head>] extends [unknown, ...infer Outer]
    ? AfterPattern<Rest, Outer>
    : Rest
  : '';

type OpensIn<Text extends string> = Text extends `${string}(${infer Rest}` ? [unknown, ...OpensIn<Rest>] : [];
