import { getRateLimitGroup, type Job, type JobKey, type JobQueue } from "./jobQueue.ts";

type Host = {
  dueAt: number;
  freeAt: number;
  failures: number;
  jobs: Map<string, Job>;
};

/** Creates an in-memory queue for one process. `createSqlJobQueue` is its persistent equivalent. */
export function createMemoryJobQueue(): JobQueue {
  const jobs = new Map<string, Job>();
  const hosts = new Map<string, Host>();
  let revisions = 0;

  const toName = ({ kind, key }: JobKey) => JSON.stringify([kind, key]);
  function getHostState(name: string, dueAt: number): Host {
    const host = hosts.get(name) ?? { dueAt, freeAt: 0, failures: 0, jobs: new Map() };
    hosts.set(name, host);
    return host;
  }
  function take(name: string): void {
    const job = jobs.get(name);
    if (job) hosts.get(job.host)?.jobs.delete(name);
    jobs.delete(name);
  }
  function store(job: Job): Host {
    const name = toName(job);
    take(name);
    jobs.set(name, job);
    const host = getHostState(job.host, job.dueAt);
    host.jobs.set(name, job);
    return host;
  }
  function enqueue(job: Job): void {
    const host = store(job);
    host.dueAt = Math.min(host.dueAt, job.dueAt);
  }
  const current = ({ revision, ...job }: JobKey & { revision?: number }) => {
    const present = jobs.get(toName(job));
    return revision === undefined || present?.revision === revision ? present : undefined;
  };

  return {
    async enqueue(added) {
      for (const job of added) enqueue({ ...job, failures: 0, revision: ++revisions });
    },
    async claim({ now, until, busy = [], full = [] }) {
      for (;;) {
        let first: [string, Host] | undefined;
        for (const [name, host] of hosts) {
          if (host.dueAt > now || host.freeAt > now || (first && host.dueAt >= first[1].dueAt)) continue;
          if (!busy.includes(name) && !full.includes(getRateLimitGroup(name))) first = [name, host];
        }
        if (!first) return undefined;
        const [name, host] = first;
        let job: Job | undefined;
        let next = Number.POSITIVE_INFINITY;
        for (const candidate of host.jobs.values()) {
          next = Math.min(next, candidate.dueAt);
          if (candidate.dueAt > now) continue;
          const order = job ? candidate.priority - job.priority || candidate.dueAt - job.dueAt : -1;
          if (order < 0) job = candidate;
        }
        host.dueAt = job ? until : next;
        if (host.jobs.size === 0) hosts.delete(name);
        if (!job) continue;
        host.freeAt = until;
        return { host: name, site: getRateLimitGroup(name), failures: host.failures, until, job: { ...job } };
      }
    },
    async reschedule(job) {
      const present = current(job);
      if (!present) return;
      if (present.host === job.host) store({ ...job });
      else enqueue({ ...job });
    },
    async remove(job) {
      if (current(job)) take(toName(job));
    },
    async expedite({ dueAt, priority, ...key }) {
      const job = current(key);
      if (!job) return false;
      job.dueAt = Math.min(job.dueAt, dueAt);
      job.priority = Math.min(job.priority, priority);
      const host = getHostState(job.host, job.dueAt);
      host.dueAt = Math.min(host.dueAt, job.dueAt);
      return true;
    },
    async release({ host: name, until }, { freeAt, failures }) {
      const host = hosts.get(name);
      if (!host) return;
      host.freeAt = host.freeAt === until ? freeAt : Math.max(host.freeAt, freeAt);
      host.dueAt = host.freeAt;
      host.failures = failures;
    },
    async count({ now, overdueBefore, kind }) {
      const all = [...jobs.values()].filter((job) => kind === undefined || job.kind === kind);
      return {
        jobs: all.length,
        due: all.filter(({ dueAt }) => dueAt <= now).length,
        overdue: all.filter(({ dueAt }) => dueAt < overdueBefore).length,
        failing: all.filter(({ failures }) => failures > 0).length,
      };
    },
    async capDelays(now, longest) {
      const limit = now + longest;
      for (const job of jobs.values()) {
        if (job.dueAt > limit) job.dueAt = now + Math.random() * longest;
      }
      for (const host of hosts.values()) {
        if (host.freeAt > limit) host.freeAt = now;
        if (host.dueAt > limit) host.dueAt = now;
      }
    },
    async acquireHost(name, now, until) {
      const host = getHostState(name, 0);
      if (host.freeAt > now) return false;
      host.freeAt = until;
      return true;
    },
    async extendHostLease(name, until) {
      const host = hosts.get(name);
      if (host) host.freeAt = until;
    },
  };
}
