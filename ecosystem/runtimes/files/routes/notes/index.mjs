export default async function notes(app) {
  app.get('/', () => 'loaded');
}
