import { useQuery } from '@tanstack/react-query';
import { groupTypesQuery } from '../../api/use-groups.ts';
import type { SubPage } from '../../ui/SubNav.tsx';

/** People, and whatever they belong to together: one page for each type of group that was seen. */
export function usePeoplePages(projectId: number, groupTypeIndex?: number): SubPage[] {
  const types = useQuery(groupTypesQuery(projectId));
  return [
    { label: 'Persons', path: '/persons' },
    ...(types.data ?? []).map(({ group_type, group_type_index, name_plural }) => ({
      label: name_plural ?? `Groups: ${group_type}`,
      path: `/groups/${group_type_index}`,
      isHere: groupTypeIndex === group_type_index,
    })),
    { label: 'Cohorts', path: '/cohorts' },
  ];
}
