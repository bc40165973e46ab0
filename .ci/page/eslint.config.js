// Lints of the pages' JavaScript. Unknown names are the type checker's.
const js = require("@eslint/js");

module.exports = [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2023, sourceType: "module" },
    rules: {
      "no-undef": "off",
      "array-callback-return": "error",
      "eqeqeq": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-shadow": "error",
      "no-var": "error",
      "prefer-const": "error",
      "no-restricted-properties": ["error",
        { property: "innerHTML", message: "text of others must never become markup" },
        { property: "outerHTML", message: "text of others must never become markup" },
        { property: "insertAdjacentHTML", message: "text of others must never become markup" }],
    },
  },
];
