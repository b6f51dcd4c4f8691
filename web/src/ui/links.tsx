// The kit's buttons and anchors as links of the app: typed by the router, loaded ahead when one points at them.
import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type Attributes = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof AnchorProps | keyof ButtonProps> & {
  ref?: Ref<HTMLAnchorElement>;
};

export const LinkText = createLink((props: AnchorProps & Attributes) => <Anchor {...props} />);

export const LinkButton = createLink((props: ButtonProps & Attributes) => <Button component="a" {...props} />);
