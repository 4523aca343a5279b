import { tried } from "./parts.js";

tried().then((results) => console.log(`RESULT ${JSON.stringify(results)}`));
