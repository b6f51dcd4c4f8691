// SQL, with the names of tables, columns and properties as one types. Comes in a chunk of its own.
import { PostgreSQL, sql } from '@codemirror/lang-sql';
import { Button, Group, Text, useComputedColorScheme } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import CodeMirror, { EditorView, keymap, Prec } from '@uiw/react-codemirror';
import { useMemo, useState } from 'react';
import { propertyNamesQuery } from '../../api/use-definitions.ts';
import { useProjectId } from '../../api/use-project.ts';
import { styleNonce } from '../../style-nonce.ts';
import classes from './SqlEditor.module.css';
import { toSchema } from './sql-schema.ts';

/** On the ground of the line one is in, some colours would be too faint to read. */
const plainActiveLine = EditorView.theme({
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent !important' },
});

const darkGround = EditorView.theme({ '&': { backgroundColor: '#1a1a1a !important' } });

interface SqlEditorProps {
  sql: string;
  onRun: (sql: string) => void;
}

export default function SqlEditor({ sql: given, onRun }: SqlEditorProps) {
  const projectId = useProjectId();
  const [text, setText] = useState(given);
  const isDark = useComputedColorScheme('light') === 'dark';
  const events = useQuery(propertyNamesQuery(projectId, 'event', ''));
  const persons = useQuery(propertyNamesQuery(projectId, 'person', ''));
  const extensions = useMemo(
    () => [
      EditorView.cspNonce.of(styleNonce),
      EditorView.lineWrapping,
      plainActiveLine,
      isDark ? darkGround : [],
      EditorView.contentAttributes.of({ 'aria-label': 'SQL' }),
      sql({
        dialect: PostgreSQL,
        schema: toSchema(
          (events.data?.results ?? []).map(({ name }) => name),
          (persons.data?.results ?? []).map(({ name }) => name),
        ),
      }),
      Prec.highest(
        keymap.of([
          {
            key: 'Mod-Enter',
            run: (view) => {
              onRun(view.state.doc.toString());
              return true;
            },
          },
        ]),
      ),
    ],
    [events.data, persons.data, onRun, isDark],
  );
  return (
    <div>
      <div className={classes.frame}>
        <CodeMirror
          value={text}
          onChange={setText}
          height="220px"
          theme={isDark ? 'dark' : 'light'}
          extensions={extensions}
        />
      </div>
      <Group mt="xs" justify="space-between">
        <Text size="xs" c="dimmed">
          Tables: events, persons, person_distinct_ids, groups, sessions, cohort_people, static_cohort_people. 100 rows
          unless LIMIT says otherwise, 50,000 at most.
        </Text>
        <Button size="xs" leftSection={<IconPlayerPlay size={14} />} onClick={() => onRun(text)}>
          Run (Ctrl Enter)
        </Button>
      </Group>
    </div>
  );
}
