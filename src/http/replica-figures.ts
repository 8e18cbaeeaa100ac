/** The figures of reading from replicas: where rows were read, and whether the primary answers. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Store } from '../store/open.ts';

export function registerReplicas(registry: Registry, state: NonNullable<Store['replicas']>): void {
  const registers = [registry];
  new Counter({
    name: 'garden_database_reads_total',
    help: 'Reads of rows, by the kind of server that they were answered from.',
    labelNames: ['from'],
    registers,
    collect() {
      this.reset();
      const { primary, replica } = state().reads;
      this.inc({ from: 'primary' }, primary);
      this.inc({ from: 'replica' }, replica);
    },
  });
  new Gauge({
    name: 'garden_database_replicas',
    help: 'Replicas that follow the primary, and those with something wrong.',
    labelNames: ['state'],
    registers,
    collect() {
      const { following, leftOut } = state();
      this.set({ state: 'following' }, following);
      this.set({ state: 'left_out' }, leftOut);
    },
  });
  new Gauge({
    name: 'garden_database_primary_lost',
    help: 'Whether the primary does not answer, 1 for yes; with workers how many processes find so.',
    registers,
    collect() {
      this.set(state().isPrimaryLost ? 1 : 0);
    },
  });
}
