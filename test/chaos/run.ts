// npm run test:chaos -- --runs 1000 --seed 1: sessions first, then locks. One after the other: they would disturb each other.
await import('./runSessions.ts');
await import('./runLocks.ts');
export {};
