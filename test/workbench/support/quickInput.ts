import type { Locator, Page } from 'playwright-core';

/** VS Code's one widget for all questions, its file dialog too; while it fades out it can be seen but not used. */
export function openQuickInput(page: Page): Locator {
  return page.locator('.quick-input-widget:visible:not([inert]):not([inert] *)');
}
