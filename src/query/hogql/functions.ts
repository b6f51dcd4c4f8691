// The functions that a text may call. What is not listed cannot be called: nothing here reads files, addresses,
// dictionaries, settings or other tables, waits, or tells about the machine.

const words = (text: string) => text.trim().split(/\s+/);

const PLAIN = words(`
  plus minus multiply divide intDiv intDivOrZero modulo moduloOrZero positiveModulo negate abs gcd lcm max2 min2
  equals notEquals greater less greaterOrEquals lessOrEquals like ilike notLike notILike in notIn
  and or xor not if multiIf
  coalesce ifNull nullIf isNull isNotNull assumeNotNull toNullable isZeroOrNull
  exp log ln exp2 log2 exp10 log10 sqrt cbrt pow power erf erfc lgamma tgamma sin cos tan asin acos atan atan2 hypot
  sinh cosh tanh asinh acosh atanh log1p sign degrees radians pi e factorial width_bucket
  isFinite isInfinite isNaN ifNotFinite
  round roundBankers floor ceil ceiling trunc truncate roundToExp2 roundDuration roundAge roundDown
  greatest least
  toInt8OrNull toInt16OrNull toInt32OrNull toInt64OrNull toUInt8OrNull toUInt16OrNull toUInt32OrNull toUInt64OrNull
  toFloat32OrNull toFloat64OrNull toInt64OrZero toFloat64OrZero toInt64OrDefault toFloat64OrDefault
  toInt8 toInt16 toInt32 toInt64 toUInt8 toUInt16 toUInt32 toUInt64 toFloat32 toFloat64
  toString toFixedString toTypeName toUUIDOrNull toUUIDOrZero toIPv4OrNull toIPv6OrNull bar formatReadableSize
  formatReadableDecimalSize formatReadableQuantity formatReadableTimeDelta
  empty notEmpty length lengthUTF8 char_length leftPad rightPad leftPadUTF8 rightPadUTF8 lower upper lowerUTF8 upperUTF8
  initcap isValidUTF8 toValidUTF8 repeat space reverse reverseUTF8 concat concatWithSeparator concat_ws substring substr
  substringUTF8 left right leftUTF8 rightUTF8 substringIndex appendTrailingCharIfAbsent base58Encode base58Decode
  base64Encode base64Decode tryBase64Decode endsWith startsWith trim trimLeft trimRight trimBoth ltrim rtrim
  encodeXMLComponent decodeXMLComponent extractTextFromHTML ascii soundex punycodeEncode punycodeDecode
  position locate positionCaseInsensitive positionUTF8 positionCaseInsensitiveUTF8 multiSearchAllPositions
  multiSearchFirstPosition multiSearchFirstIndex multiSearchAny match multiMatchAny multiMatchAnyIndex
  multiMatchAllIndices extract extractAll extractAllGroupsHorizontal extractAllGroupsVertical extractGroups
  countSubstrings countSubstringsCaseInsensitive countSubstringsCaseInsensitiveUTF8 countMatches
  countMatchesCaseInsensitive regexpExtract regexpQuoteMeta ngramDistance ngramSearch hasToken hasSubsequence
  levenshteinDistance editDistance damerauLevenshteinDistance jaroSimilarity jaroWinklerSimilarity
  replace replaceAll replaceOne replaceRegexpAll replaceRegexpOne translate translateUTF8 format
  splitByChar splitByString splitByRegexp splitByWhitespace splitByNonAlpha arrayStringConcat alphaTokens ngrams tokens
  toStartOfYear toStartOfISOYear toStartOfQuarter toStartOfMonth toMonday toStartOfDay toStartOfHour toStartOfMinute
  toStartOfSecond toStartOfFiveMinutes toStartOfFiveMinute toStartOfTenMinutes toStartOfFifteenMinutes toLastDayOfWeek
  toLastDayOfMonth toTime toYear toQuarter toMonth toDayOfYear toDayOfMonth toDayOfWeek toHour toMinute toSecond
  toMillisecond toUnixTimestamp toUnixTimestamp64Second toUnixTimestamp64Milli toUnixTimestamp64Micro
  toISOYear toISOWeek toWeek toYearWeek toRelativeYearNum toRelativeQuarterNum toRelativeMonthNum toRelativeWeekNum
  toRelativeDayNum toRelativeHourNum toRelativeMinuteNum toRelativeSecondNum toYYYYMM toYYYYMMDD toYYYYMMDDhhmmss
  age dateDiff date_diff dateTrunc date_trunc dateAdd date_add dateSub date_sub timestamp_add timestamp_sub
  addYears addQuarters addMonths addWeeks addDays addHours addMinutes addSeconds addMilliseconds
  subtractYears subtractQuarters subtractMonths subtractWeeks subtractDays subtractHours subtractMinutes subtractSeconds
  toIntervalSecond toIntervalMinute toIntervalHour toIntervalDay toIntervalWeek toIntervalMonth toIntervalQuarter
  toIntervalYear toIntervalMillisecond formatDateTime formatDateTimeInJodaSyntax dateName monthName timeSlot timeSlots
  fromUnixTimestamp makeDate makeDateTime UUIDv7ToDateTime timeZoneOffset
  array range arrayConcat arrayElement has hasAll hasAny hasSubstr indexOf arrayCount countEqual arrayEnumerate
  arrayEnumerateUniq arrayEnumerateDense arrayPopBack arrayPopFront arrayPushBack arrayPushFront arrayResize arraySlice
  arraySort arrayReverseSort arrayPartialSort arrayUniq arrayDifference arrayDistinct arrayIntersect arrayReverse
  arrayFlatten arrayCompact arrayZip arrayAUC arrayMap arrayFilter arrayFill arrayReverseFill arraySplit
  arrayReverseSplit arrayExists arrayAll arrayFirst arrayFirstOrNull arrayLast arrayLastOrNull arrayFirstIndex
  arrayLastIndex arrayMin arrayMax arraySum arrayAvg arrayCumSum arrayCumSumNonNegative arrayProduct arrayFold
  arrayRotateLeft arrayRotateRight arrayShiftLeft arrayShiftRight arrayJaccardIndex arrayWithConstant emptyArrayToSingle
  arrayJoin
  tuple tupleElement untuple tupleConcat tuplePlus tupleMinus map mapFromArrays mapKeys mapValues mapContains mapAdd
  mapSubtract mapFilter mapApply mapSort
  bitAnd bitOr bitXor bitNot bitShiftLeft bitShiftRight bitTest bitCount bitHammingDistance
  isValidJSON JSONHas JSONLength JSONArrayLength JSONType JSONExtractUInt JSONExtractInt JSONExtractFloat
  JSONExtractBool JSONExtractString JSONExtractKeys JSONExtractRaw JSONExtractArrayRaw JSONExtractKeysAndValuesRaw
  toJSONString
  domain domainWithoutWWW topLevelDomain firstSignificantSubdomain cutToFirstSignificantSubdomain
  cutToFirstSignificantSubdomainWithWWW protocol port path pathFull queryString fragment queryStringAndFragment
  extractURLParameter extractURLParameters extractURLParameterNames URLHierarchy URLPathHierarchy encodeURLComponent
  decodeURLComponent encodeURLFormComponent decodeURLFormComponent cutWWW cutQueryString cutFragment
  cutQueryStringAndFragment cutURLParameter netloc
  IPv4NumToString IPv4StringToNum IPv6NumToString IPv6StringToNum isIPv4String isIPv6String IPv4CIDRToRange
  isIPAddressInRange
  hex unhex bin unbin halfMD5 MD5 SHA1 SHA224 SHA256 SHA512 BLAKE3 cityHash64 sipHash64 sipHash128 xxHash32 xxHash64
  murmurHash3_64 intHash32 intHash64 javaHash farmHash64 crc32
  UUIDNumToString UUIDStringToNum generateUUIDv4 generateUUIDv7 rand rand64 randUniform randCanonical
  transform parseDateTime parseDateTimeOrNull parseDateTimeBestEffort parseDateTimeBestEffortOrNull
  parseDateTime64BestEffortOrNull toDateOrNull toDateTimeOrNull identity
  geoDistance greatCircleDistance greatCircleAngle pointInEllipses pointInPolygon geohashEncode geohashDecode
  L1Distance L2Distance cosineDistance L1Norm L2Norm
  toStartOfNanosecond toModifiedJulianDay lagInFrame leadInFrame
`);

/** Functions that only make sense in a window, beside all the aggregates. */
const WINDOW = words(`
  row_number rank dense_rank percent_rank cume_dist ntile nth_value first_value last_value lag lead lagInFrame
  leadInFrame
`);

const AGGREGATES = words(`
  count min max sum avg any anyHeavy anyLast argMin argMax avgWeighted topK topKWeighted groupArray groupUniqArray
  groupArrayInsertAt groupArrayMovingAvg groupArrayMovingSum groupArraySample groupArraySorted groupArrayLast
  groupBitAnd groupBitOr groupBitXor groupConcat stddevPop stddevSamp stddevPopStable stddevSampStable varPop varSamp
  varPopStable varSampStable covarPop covarSamp corr skewPop skewSamp kurtPop kurtSamp uniq uniqExact uniqCombined
  uniqCombined64 uniqHLL12 uniqTheta median medianExact medianExactLow medianExactHigh medianTDigest medianBFloat16
  medianDeterministic medianTiming quantile quantiles quantileExact quantileExactLow quantileExactHigh
  quantileExactWeighted quantileTiming quantileTDigest quantileBFloat16 quantilesExact quantilesTDigest
  quantileDeterministic quantileInterpolatedWeighted simpleLinearRegression entropy histogram
  sequenceMatch sequenceCount windowFunnel retention uniqUpTo sumMap minMap maxMap sumCount sumKahan deltaSum
  deltaSumTimestamp boundingRatio rankCorr mannWhitneyUTest studentTTest welchTTest contingency cramersV theilsU
  maxIntersections maxIntersectionsPosition intervalLengthSum exponentialMovingAverage singleValueOrNull
  first_value last_value
`);

const COMBINATORS = ['If', 'Array', 'Distinct', 'OrNull', 'OrDefault', 'IfOrNull', 'ArrayIf', 'DistinctIf', 'ForEach'];

export interface KnownFunction {
  /** The name as the engine has it. */
  readonly name: string;
  readonly isAggregate: boolean;
}

const known = new Map<string, KnownFunction>();
const add = (name: string, isAggregate: boolean) => {
  const key = name.toLowerCase();
  if (!known.has(key)) known.set(key, { name, isAggregate });
};
for (const name of PLAIN) add(name, false);
for (const name of AGGREGATES) {
  add(name, true);
  for (const combinator of COMBINATORS) add(`${name}${combinator}`, true);
}
const inWindows = new Map(WINDOW.map((name) => [name.toLowerCase(), name]));

/** Names are looked up in any case. */
export const findFunction = (name: string): KnownFunction | undefined => known.get(name.toLowerCase());

export function findWindowFunction(name: string): string | undefined {
  return inWindows.get(name.toLowerCase()) ?? (findFunction(name)?.isAggregate ? findFunction(name)?.name : undefined);
}

export const functionNames = (): string[] => [...known.values()].map(({ name }) => name);

/** What takes numbers: texts of properties are read as such. */
const NUMERIC = /^(sum|avg|median|quantiles?|stddev|var(Pop|Samp)|abs$|round|floor$|ceil|sqrt$|exp|log|pow)/;
export const takesNumbers = (name: string): boolean => NUMERIC.test(name) && !name.endsWith('Map');

/** Types that a cast may name, and what the engine calls them. */
export const castTypes: Readonly<Record<string, string>> = {
  int: 'Int64',
  integer: 'Int64',
  bigint: 'Int64',
  int8: 'Int8',
  int16: 'Int16',
  int32: 'Int32',
  int64: 'Int64',
  uint8: 'UInt8',
  uint16: 'UInt16',
  uint32: 'UInt32',
  uint64: 'UInt64',
  float: 'Float64',
  double: 'Float64',
  real: 'Float64',
  float32: 'Float32',
  float64: 'Float64',
  string: 'String',
  text: 'String',
  varchar: 'String',
  bool: 'Bool',
  boolean: 'Bool',
  uuid: 'UUID',
  date: 'Date',
};
