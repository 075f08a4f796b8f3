// The hundred rows of the scenario `rows`: the same in every process, about 16 kB as JSON.

const roles = ['admin', 'member', 'guest'];
const names = ['Ada Lovelace', 'Grace Hopper', 'Edsger Dijkstra', 'Barbara Liskov', 'Tony Hoare'];

const makeRow = (/** @type {number} */ index) => ({
  id: index * 7919,
  name: names[index % names.length],
  email: `reader${index}@example.org`,
  active: index % 3 === 0,
  score: (index * 37) / 8,
  role: roles[index % roles.length],
  createdAt: new Date(1_700_000_000_000 + index * 86_400_000).toISOString(),
  age: 20 + (index % 60),
});

// Parsed from text, because rows from a database driver also have flat strings and one hidden class.
export const rows = JSON.parse(JSON.stringify(Array.from({ length: 100 }, (_, index) => makeRow(index))));
