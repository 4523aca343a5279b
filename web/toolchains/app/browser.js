import { tried } from "./parts.js";

tried().then((results) => (document.body.dataset.result = JSON.stringify(results)));
