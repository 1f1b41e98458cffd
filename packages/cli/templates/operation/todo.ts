// {{operation}}
import { it } from 'node:test';

// {{reason}}
it.todo({{title}});
