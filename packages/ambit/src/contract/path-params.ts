/** The types of the parameters in a path, which is parsed as the router parses it. */

/** The type of `request.params` without a `params` schema: `{ id: string }` for the path `/users/:id`. */
export type ParamsOf<Path extends string> = string extends Path
  ? { [name: string]: string | undefined }
  : {
      [Name in NamesIn<Path> as Name extends `${infer Optional}?`
        ? Optional
        : Name]: Name extends `${string}?` ? string | undefined : string;
    };

/** The names of the required parameters of a path. */
export type ParamNames<Path extends string> = string extends Path
  ? never
  : Exclude<NamesIn<Path>, `${string}?`>;

/** The names in a path. A name ends before `/`, `-`, `.` or `(`. Two colons are one literal colon. `*` is only a parameter at the end. */
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

/** The text after the parenthesis that closes a pattern. Each parenthesis that opens inside the pattern must be closed first. */
type AfterPattern<
  Text extends string,
  Open extends readonly unknown[] = [],
> = Text extends `${infer Head})${infer Rest}`
  ? [...Open, ...OpensIn<Head>] extends [unknown, ...infer Outer]
    ? AfterPattern<Rest, Outer>
    : Rest
  : '';

type OpensIn<Text extends string> = Text extends `${string}(${infer Rest}` ? [unknown, ...OpensIn<Rest>] : [];
