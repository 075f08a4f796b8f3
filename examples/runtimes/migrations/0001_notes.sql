create table if not exists notes (
  id integer primary key,
  text text not null,
  created_at text not null
);
