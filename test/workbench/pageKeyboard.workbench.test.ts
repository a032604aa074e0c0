import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startObserver, type Observer } from '../support/observer.ts';
import { startZooKeeper, type ZooKeeperEnsemble } from '../support/zookeeperServer.ts';
import { keepTraceOfFailures } from './support/failureTrace.ts';
import { Keyboard } from './support/keyboard.ts';
import { LockPanelPage } from './support/lockPanelPage.ts';
import { openWorkbench, type Workbench } from './support/workbench.ts';

let ensemble: ZooKeeperEnsemble;
let observer: Observer;
let workbench: Workbench;
let keyboard: Keyboard;
let panel: LockPanelPage;

/** How much later than usual a page gets VS Code's message to take the focus, ms: machines are busy at times. */
const lateMs = 60;
/** A letter each 15 ms: it is typed until well after that message. */
const letters = '/a/path/that/is/typed/letter/by/letter';

/** Commands that ask, and what they ask. */
const questions = [
  ['Acquire Mutex…', 'Acquire Mutex'],
  ['Open Lock by Path…', 'Open Lock'],
  ['Add Cluster…', 'Add Cluster'],
  ['Filter Locks…', 'Show only locks'],
] as const;

beforeAll(async () => {
  ensemble = await startZooKeeper();
  observer = await startObserver(ensemble.connectString);
  await observer.ensure('/orders/invoice');
  const name = `${crypto.randomUUID().replaceAll('-', '')}__lock__`;
  await observer.create(`/orders/invoice/${name}`, { data: 'worker-a', ephemeral: true, sequence: true });
  const cluster = { id: 'orders', name: 'Orders', connectString: ensemble.connectString, lockRoots: ['/orders'] };
  workbench = await openWorkbench({ settings: { 'zookeeperLocks.clusters': [cluster] } });
  keyboard = new Keyboard(workbench.page);
  panel = new LockPanelPage(workbench.page);
  await workbench.openContainer('ZooKeeper Locks');
  const tree = workbench.tree('Clusters');
  await tree.expand('Orders');
  const { label } = await tree.seeRow(/invoice$/, /./);
  await tree.chooseFromMenu(label, 'Show Queue', () => panel.see('live'));
  await tree.chooseFromMenu(label, 'Explain Lock', () => workbench.report.locator('h1').waitFor());
  await workbench.page.evaluate(late => {
    const ports = MessagePort.prototype as unknown as {
      postMessage: (this: MessagePort, message?: { channel?: string }, ...rest: unknown[]) => void;
    };
    const post = ports.postMessage;
    ports.postMessage = function (...values) {
      if (values[0]?.channel === 'focus') {
        document.body.dataset['late'] = 'true';
        setTimeout(() => post.apply(this, values), late);
      } else post.apply(this, values);
    };
  }, lateMs);
});

keepTraceOfFailures(() => workbench);

afterAll(async () => {
  await workbench.close();
  await observer.stop();
  await ensemble.stop();
});

async function pageHasKeyboard(): Promise<void> {
  const frame = await panel.frame();
  await eventually(async () => expect(await frame.evaluate(() => document.hasFocus())).toBe(true));
}

async function showTab(title: string): Promise<void> {
  await workbench.page.locator('.tabs-container .tab', { hasText: title }).first().click();
}

async function typeInto(question: string): Promise<void> {
  await keyboard.seeQuestion(question);
  await workbench.page.keyboard.type(letters, { delay: 15 });
  expect(await workbench.page.locator('.quick-input-widget .quick-input-box input').inputValue()).toBe(letters);
  await keyboard.press('Escape');
}

describe.each([
  ['the lock panel', 'invoice', () => panel.find('h1')],
  ['a report', 'lock-invoice', () => workbench.report.locator('h1')],
])('with the keyboard in %s', (_, title, headline) => {
  const enterPage = async (): Promise<void> => {
    await headline().click();
    await pageHasKeyboard();
  };

  it('a question from the palette has the keyboard, and the page has it again afterwards', async () => {
    await showTab(title);
    await enterPage();
    for (let round = 0; round < 5; round++) {
      for (const [command, question] of questions) {
        await keyboard.run(`ZooKeeper Locks: ${command}`);
        await typeInto(question);
        await pageHasKeyboard();
      }
    }
    expect(await workbench.page.locator('body').getAttribute('data-late')).toBe('true');
  });
});

describe('with the keyboard in the Clusters view', () => {
  /** Has the view take the keyboard from a question once, as it does when VS Code finishes drawing it in that moment. */
  const takeOnce = (question: string): Promise<void> =>
    workbench.page.evaluate(asked => {
      const isAsked = (): boolean => document.querySelector('.quick-input-title')?.textContent.includes(asked) === true;
      const look = ({ target }: FocusEvent): void => {
        if (!(target instanceof Element) || target.closest('.quick-input-widget') === null) return;
        setTimeout(() => {
          if (!isAsked()) return;
          document.removeEventListener('focusin', look);
          document.querySelector<HTMLElement>('.customview-tree .monaco-list')?.focus();
          document.body.dataset['taken'] = asked;
        });
      };
      document.addEventListener('focusin', look);
    }, question);

  it.each([
    ['Acquire Mutex…', 'Acquire Mutex'],
    ['Add Cluster…', 'Add Cluster'],
  ])('a question that loses it while it opens takes it back: %s', async (command, question) => {
    await takeOnce(question);
    await keyboard.run('ZooKeeper Locks: Focus on Clusters View');
    await keyboard.run(`ZooKeeper Locks: ${command}`);
    await eventually(async () =>
      expect(await workbench.page.locator('body').getAttribute('data-taken')).toBe(question),
    );
    await typeInto(question);
    await eventually(async () => expect(await workbench.page.locator('.quick-input-widget:visible').count()).toBe(0));
  });
});

it('Show Queue asks for another lock when the panel of one is in front', async () => {
  await showTab('invoice');
  await pageHasKeyboard();
  await keyboard.run('ZooKeeper Locks: Show Queue');
  await keyboard.answer('Which lock?', '/orders/receipt');
  await eventually(async () => expect(await panel.find('h1').innerText({ timeout: 1_000 })).toBe('receipt'));
});
