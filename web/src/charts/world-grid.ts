// Where each country stands when all are drawn alike: near its neighbours, one square each. Small countries are as easy
// to see as large ones, and no shapes have to be fetched.
const ROWS = `
.. .. .. GL .. .. .. .. .. .. IS .. NO SE FI .. .. .. .. .. .. .. .. .. .. .. ..
US CA .. .. .. .. .. .. .. .. .. .. .. .. .. EE .. RU .. .. .. .. .. .. .. .. ..
.. .. .. .. .. .. .. .. .. IE GB .. DK .. LV LT BY .. .. KZ .. MN .. .. .. .. ..
MX .. .. .. .. .. .. .. .. .. NL BE DE PL CZ SK UA MD .. UZ KG CN KP .. JP .. ..
GT BZ .. .. BS .. .. .. .. FR LU CH LI AT HU RO BG GE AZ TM TJ .. KR TW .. .. ..
SV HN .. CU JM HT DO PR .. PT ES AD MC IT SI HR RS MK TR AM IR AF NP BT HK MO ..
.. NI .. .. KN AG DM .. .. .. .. .. SM MT BA ME AL GR CY SY IQ PK IN BD MM LA VN
.. CR .. .. LC VC BB TT .. .. MA DZ TN LY EG XK LB IL PS JO KW BH .. LK TH KH PH
.. PA VE GY SR GF GD .. CV EH MR ML NE TD SD ER .. .. SA YE QA AE OM MV MY BN PW
.. CO .. BR .. .. .. .. SN GM GN BF NG CF SS ET DJ SO .. .. .. .. .. .. SG ID PG
.. EC PE BO .. .. .. .. GW SL CI GH TG CM CG UG KE .. .. .. .. .. .. .. .. TL SB
.. .. CL PY .. .. .. .. .. LR .. BJ GQ GA CD RW TZ .. SC .. .. .. .. .. AU .. VU
.. .. .. AR UY .. .. .. .. .. ST .. .. AO ZM BI MW KM .. .. .. .. .. .. .. FJ TO
.. .. .. .. .. .. .. .. .. .. .. .. .. NA ZW MZ MG MU .. .. .. .. .. .. NZ WS KI
.. .. .. .. .. .. .. .. .. .. .. .. .. .. BW SZ .. .. .. .. .. .. .. .. .. NR TV
.. .. .. .. .. .. .. .. .. .. .. .. .. .. ZA LS .. .. .. .. .. .. .. .. .. MH FM`;

export interface Square {
  /** ISO 3166-1, two letters. */
  code: string;
  row: number;
  column: number;
}

export const worldGrid: readonly Square[] = ROWS.trim()
  .split('\n')
  .flatMap((line, row) => line.split(' ').map((code, column) => ({ code, row, column })))
  .filter(({ code }) => code !== '..');

export const COLUMNS = ROWS.trim().split('\n')[0]?.split(' ').length ?? 1;
