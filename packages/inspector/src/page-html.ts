/** Creates the HTML of the page. */

/** References are relative, because a proxy may add a prefix that the application does not know. */
export function htmlOf(folder: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Ambit inspector</title>
<link rel="icon" href="${folder}/icon.svg">
<link rel="stylesheet" href="${folder}/page.css">
<script type="module" src="${folder}/page.js"></script>
</head>
<body>
<noscript>The inspector needs JavaScript. What it shows is in <a href="${folder}/model.json">model.json</a>.</noscript>
</body>
</html>
`;
}
