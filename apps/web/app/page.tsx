export default function HomePage() {
  return <h1>A public register of services</h1>;
}
