// {{operation}}
import { it } from "{{runner}}";

// {{reason}}
it.todo({{todo}});
