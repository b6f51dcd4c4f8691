import { Anchor, Code, List, Text, Title } from '@mantine/core';
import { Fragment } from 'react';
import { type Inline, parseProse } from './prose.ts';

/** Text that somebody wrote, with a little Markdown in it. */
export function Prose({ text }: { text: string }) {
  return parseProse(text).map((block, index) => {
    const key = `${index} ${block.kind}`;
    switch (block.kind) {
      case 'heading':
        return (
          <Title key={key} order={(block.level + 1) as 2 | 3 | 4} size={`h${block.level + 2}`} className="breakable">
            <Parts parts={block.parts} />
          </Title>
        );
      case 'list':
        return (
          <List key={key} size="sm" className="breakable">
            {block.items.map((parts, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: items of a text are known by their place
              <List.Item key={at}>
                <Parts parts={parts} />
              </List.Item>
            ))}
          </List>
        );
      default:
        return (
          <Text key={key} size="sm" className="breakable">
            <Parts parts={block.parts} />
          </Text>
        );
    }
  });
}

function Parts({ parts }: { parts: readonly Inline[] }) {
  return parts.map((part, index) => {
    const key = `${index} ${part.kind}`;
    if (part.kind === 'bold') return <strong key={key}>{part.text}</strong>;
    if (part.kind === 'code') return <Code key={key}>{part.text}</Code>;
    if (part.kind === 'link') {
      return (
        <Anchor key={key} href={part.href} inherit rel="noreferrer noopener">
          {part.text}
        </Anchor>
      );
    }
    return <Fragment key={key}>{part.text}</Fragment>;
  });
}
