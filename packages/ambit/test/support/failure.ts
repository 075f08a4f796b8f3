/** The fields of the answer that the default error handler gives. */
export interface Failure {
  statusCode: number;
  code: string;
  error: string;
  message: string;
}
