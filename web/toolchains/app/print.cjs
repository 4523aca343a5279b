require("./parts.cjs").tried().then((results) => console.log(`RESULT ${JSON.stringify(results)}`));
