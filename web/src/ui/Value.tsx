// A value from outside, of whatever kind and length.
import { Anchor, Text } from '@mantine/core';
import { useState } from 'react';
import classes from './Value.module.css';

const SHOWN_MAX = 240;

/** Texts as they are, everything else as JSON. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value) ?? '';
}

/** Cut when it is long, with a way to see all of it. */
export function Value({ value }: { value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  const isNested = typeof value === 'object' && value !== null;
  const text = isWhole && isNested ? JSON.stringify(value, null, 2) : toText(value);
  const isLong = text.length > SHOWN_MAX;
  if (value === null || value === undefined || text === '') {
    return (
      <Text span size="sm" c="dimmed">
        {value === '' ? 'empty text' : 'nothing'}
      </Text>
    );
  }
  return (
    <>
      <span className={classes.value} data-code={isNested || undefined} dir="auto">
        {isLong && !isWhole ? `${text.slice(0, SHOWN_MAX)}…` : text}
      </span>
      {isLong && (
        <Anchor component="button" type="button" size="xs" ml={6} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${text.length} characters`}
        </Anchor>
      )}
    </>
  );
}
