type ScriptRun = { parameters: string[]; env: NodeJS.ProcessEnv };

/**
 * Process that runs scripts one after the other, each with its arguments and environment, and sends their exit code and
 * output. It loads Hardhat once, which takes most of the time of a script.
 */
process.on("message", async ({ parameters: [script, ...parameters], env }: ScriptRun) => {
  const output: string[] = [];
  const errors: string[] = [];
  let code = 0;
  process.env = env;
  process.argv = [process.execPath, `${script}`, ...parameters];
  console.log = (line: string) => void output.push(`${line}\n`);
  console.error = (line: string) => void errors.push(line);
  process.exit = (wanted) => {
    code = Number(wanted);
    throw new Error("The script ended");
  };
  // A new query makes Node run the script again.
  await import(`../../scripts/${script}.ts?${Date.now()}`).catch((error: Error) => {
    if (code === 0) errors.push(`${error.stack}`);
  });
  process.send?.({ code, output: output.join(""), errors });
});
