import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { LateMenu } from './LateMenu.tsx';

interface RowMenuProps {
  label: string;
  size?: 'sm' | 'md';
  children: ReactNode;
}

/** What can be done to a row of a list, or to a tile. */
export const RowMenu = ({ label, size = 'md', children }: RowMenuProps) => (
  <LateMenu
    button={
      <ActionIcon variant="subtle" color="gray" size={size} aria-label={label}>
        <IconDots size={size === 'sm' ? 14 : 16} />
      </ActionIcon>
    }
  >
    {children}
  </LateMenu>
);
