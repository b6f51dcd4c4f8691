// The project of the address, and the paths of what belongs to it.
import { useParams } from '@tanstack/react-router';
import { type Project, useMe } from './use-me.ts';

/** Every page below `/project/$projectId` knows it. */
export function useProjectId(): number {
  const { projectId } = useParams({ strict: false });
  return Number(projectId);
}

export const projectPath = (projectId: number, rest: string) => `/api/projects/${projectId}${rest}`;
export const environmentPath = (projectId: number, rest: string) => `/api/environments/${projectId}${rest}`;

export function useProject(): Project | undefined {
  const id = useProjectId();
  return useMe().organization?.teams.find((project) => project.id === id);
}

/** Days begin and end where the project says; every time on screen is shown in this zone. */
export const useTimeZone = () => useProject()?.timezone ?? 'UTC';
