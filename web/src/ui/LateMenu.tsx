// A menu that is made when it is first opened: a page has dozens, and most are never opened.
import { Menu, type MenuProps } from '@mantine/core';
import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  type RefAttributes,
  useEffect,
  useRef,
  useState,
} from 'react';

type ButtonProps = RefAttributes<HTMLButtonElement> & {
  onClick?: () => void;
  'aria-haspopup'?: 'menu';
  'aria-expanded'?: boolean;
};

interface LateMenuProps extends Pick<MenuProps, 'position' | 'width'> {
  button: ReactElement<ButtonProps>;
  children: ReactNode;
}

export function LateMenu({ button, children, ...look }: LateMenuProps) {
  const [isMade, setMade] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLButtonElement>(null);

  // The button of the menu is another one than that which was clicked; the focus comes back to it when the menu closes.
  useEffect(() => {
    if (!isMade) return;
    place.current?.focus();
    setOpen(true);
  }, [isMade]);

  if (!isMade) {
    return cloneElement(button, {
      onClick: () => setMade(true),
      'aria-haspopup': 'menu',
      'aria-expanded': false,
    });
  }
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" {...look}>
      <Menu.Target>{cloneElement(button, { ref: place })}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
