// What only moderators load, as one script.
export { ModerationPage } from './ModerationPage';
export { TakeDownForm } from './TakeDownForm';
export { UserSanction } from './UserSanction';
