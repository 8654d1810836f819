// The page polls the server until the chart is read, and then reloads. Without scripts it reloads by itself.
const again = 2000;

async function isWaiting() {
  try {
    const { status } = await fetch(location.href, { headers: { 'x-reading': 'wait' }, cache: 'no-store' });
    return status === 202;
  } catch {
    // the server is unavailable
    await new Promise((resolve) => setTimeout(resolve, again));
    return true;
  }
}

async function goOn() {
  while (await isWaiting());
  location.reload();
}

goOn().catch(() => location.reload());
