/** The label by which objects are found again that this controller has made. Source: Kubernetes, "Recommended Labels". */
export const managedBy = { name: "app.kubernetes.io/managed-by", value: "wick" } as const
