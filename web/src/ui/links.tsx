// The kit's buttons and anchors as links of the app: typed by the router, loaded ahead when one points at them.
import { ActionIcon, type ActionIconProps, Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type Attributes = Omit<
  AnchorHTMLAttributes<HTMLAnchorElement>,
  keyof AnchorProps | keyof ButtonProps | keyof ActionIconProps
> & {
  ref?: Ref<HTMLAnchorElement>;
};

export const LinkText = createLink((props: AnchorProps & Attributes) => <Anchor {...props} />);

export const LinkButton = createLink((props: ButtonProps & Attributes) => <Button component="a" {...props} />);

export const LinkIcon = createLink((props: ActionIconProps & Attributes) => <ActionIcon component="a" {...props} />);
