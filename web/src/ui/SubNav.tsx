// The pages of one area, side by side below its title.
import { Link, useLocation } from '@tanstack/react-router';
import classes from './SubNav.module.css';

export interface SubPage {
  label: string;
  /** Below `/project/<id>`. */
  path: string;
  search?: Record<string, unknown>;
  isHere?: boolean;
}

export function SubNav({ label, projectId, pages }: { label: string; projectId: number; pages: readonly SubPage[] }) {
  const { pathname } = useLocation();
  return (
    <nav className={classes.nav} aria-label={label}>
      {pages.map(({ label: text, path, search, isHere }) => {
        const href = `/project/${projectId}${path}`;
        const current = isHere ?? pathname === href;
        return (
          <Link
            key={text}
            to={href}
            search={(search ?? {}) as never}
            className={classes.link}
            activeOptions={{ exact: true }}
            aria-current={current ? 'page' : undefined}
            data-here={current || undefined}
          >
            {text}
          </Link>
        );
      })}
    </nav>
  );
}
