// The page stands still while the EHR is asked: the server is asked when there is something to show, and the page is
// taken anew then. Without a script it comes back by itself.
const again = 2000;

async function isWaiting() {
  try {
    const { status } = await fetch(location.href, { headers: { 'x-reading': 'wait' }, cache: 'no-store' });
    return status === 202;
  } catch {
    // the server is away
    await new Promise((resolve) => setTimeout(resolve, again));
    return true;
  }
}

async function goOn() {
  while (await isWaiting());
  location.reload();
}

goOn().catch(() => location.reload());
