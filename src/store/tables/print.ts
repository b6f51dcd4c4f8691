// Prints the statements that make the tables: `node src/store/tables/print.ts [cluster]`.
import { parts } from './all.ts';
import { printForCluster, printForOne } from './ddl.ts';

const [cluster] = process.argv.slice(2);
const statements = cluster ? printForCluster(parts, cluster) : printForOne(parts);
console.log(statements.map((statement) => `${statement};\n`).join('\n'));
