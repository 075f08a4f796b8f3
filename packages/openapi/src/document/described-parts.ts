/** The parts of operations that are already described, so that routes with the same declarations share them. */
import type { OperationObject, ParameterObject, ResponseObject } from '../document-types.ts';
import { type JsonNumbers, Memo } from './memo.ts';
import type { RequestBody } from './request-body.ts';

/** The fields of an operation that do not name the operation itself. */
export type OperationTail = Pick<OperationObject, 'parameters' | 'requestBody' | 'responses'> & {
  callbacks?: unknown;
};

export class DescribedParts {
  readonly tail: Memo<OperationTail>;
  readonly path: Memo<ParameterObject[]>;
  readonly query: Memo<ParameterObject[]>;
  readonly header: Memo<ParameterObject[]>;
  readonly cookie: Memo<ParameterObject[]>;
  readonly body: Memo<RequestBody>;
  readonly response: Memo<ResponseObject>;
  readonly responses: Memo<OperationObject['responses']>;

  constructor(numbers: JsonNumbers) {
    this.tail = new Memo(numbers);
    this.path = new Memo(numbers);
    this.query = new Memo(numbers);
    this.header = new Memo(numbers);
    this.cookie = new Memo(numbers);
    this.body = new Memo(numbers);
    this.response = new Memo(numbers);
    this.responses = new Memo(numbers);
  }
}
