/**
 * A rule of the linter: a decision is sent as it was made. Once `decide…`, `judgeDraft` or `leftToClose` has answered, nothing is
 * awaited in the same function but what sends (`send…`), or what its caller is answered.
 */
const DECIDES = /^(?:decide\w*|judgeDraft|leftToClose)$/u;
const SENDS = /^send\w*$/u;

const calledBy = (node) =>
  node?.type === "CallExpression" && node.callee.type === "Identifier" ? node.callee.name : "";

const rule = {
  meta: { type: "problem", schema: [] },
  create(context) {
    /** Of each function that is open: whether it has decided. */
    const open = [];
    const enter = () => void open.push({ hasDecided: false });
    const leave = () => void open.pop();
    return {
      FunctionDeclaration: enter,
      FunctionExpression: enter,
      ArrowFunctionExpression: enter,
      "FunctionDeclaration:exit": leave,
      "FunctionExpression:exit": leave,
      "ArrowFunctionExpression:exit": leave,
      "AwaitExpression:exit"(node) {
        const here = open.at(-1);
        if (here === undefined) return;
        const name = calledBy(node.argument);
        // The caller decides what becomes of an answer.
        if (node.parent.type === "ReturnStatement") return;
        if (DECIDES.test(name)) here.hasDecided = true;
        else if (here.hasDecided && !SENDS.test(name)) {
          context.report({ node, message: "Awaited between a decision and its sending" });
        }
      },
    };
  },
};

export default { meta: { name: "lane" }, rules: { "no-wait-after-decision": rule } };
