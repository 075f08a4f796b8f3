import { defineProblem } from 'ambit';

// Throw them: the response is problem details (RFC 9457). `about:blank` means that the status says it all. A problem that
// clients must tell from others of its status has a type of its own: a URI, best of a page that describes it.

export const CursorInvalid = defineProblem({ type: 'about:blank', title: 'Bad Request', status: 400 });
export const Unauthorized = defineProblem({ type: 'about:blank', title: 'Unauthorized', status: 401 });
export const NotFound = defineProblem({ type: 'about:blank', title: 'Not Found', status: 404 });

export const NameTaken = defineProblem({
  type: 'https://example.com/problems/name-taken',
  title: 'The name is taken',
  status: 409,
});
