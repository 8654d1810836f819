// Polls the server until the chart is read, and then reloads. Without scripts, the page reloads by itself.
const again = 2000;

async function isWaiting() {
  try {
    const { status } = await fetch(location.href, { headers: { 'x-reading': 'wait' }, cache: 'no-store' });
    return status === 202;
  } catch {
    // The server is unavailable, so this waits before the next poll.
    await new Promise((resolve) => setTimeout(resolve, again));
    return true;
  }
}

async function goOn() {
  while (await isWaiting());
  location.reload();
}

goOn().catch(() => location.reload());
