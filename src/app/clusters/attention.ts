/** Whether the person can see the rows of the cluster and wants them live. */
export interface Attention {
  expanded: boolean;
  visible: boolean;
  paused: boolean;
}
