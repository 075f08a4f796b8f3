// Estimates the slope of a series of measurements with the Theil–Sen estimator, which is robust against outliers. The
// confidence interval is that of P. K. Sen, "Estimates of the regression coefficient based on Kendall's tau" (1968).

/** The quantile of the normal distribution that leaves 2.5 % on each side. */
const z95 = 1.959964;

/**
 * @param {readonly (readonly [x: number, y: number])[]} points At least two points, sorted by x.
 * @returns The median of the slopes between all pairs of points, and the bounds of its 95 % confidence interval. For few
 *   points, the bounds are the smallest and the largest of these slopes.
 */
export function estimateSlope(points) {
  const slopes = [];
  for (let i = 0; i < points.length; i++)
    for (let k = i + 1; k < points.length; k++)
      slopes.push((points[k][1] - points[i][1]) / (points[k][0] - points[i][0]));
  slopes.sort((a, b) => a - b);
  const n = points.length;
  const spread = z95 * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const last = slopes.length - 1;
  const low = Math.max(0, Math.floor((slopes.length - spread) / 2) - 1);
  const high = Math.min(last, Math.ceil((slopes.length + spread) / 2));
  return { slope: (slopes[last >> 1] + slopes[(last + 1) >> 1]) / 2, low: slopes[low], high: slopes[high] };
}
