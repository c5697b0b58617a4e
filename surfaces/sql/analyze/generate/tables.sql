create table emp (id int4 primary key, name text not null, dept int4, salary numeric(10,2), hired date, boss int4, tags text[], note varchar(20), active bool, seen timestamptz, data jsonb);
create table dept (id int4 primary key, name text, budget int8, code char(3));
create table pair (a int4, b int4, c text);
create table num (i2 int2, i4 int4, i8 int8, n numeric, f4 real, f8 double precision, t text, d date, ts timestamp, iv interval, u uuid, j json, by bytea);
