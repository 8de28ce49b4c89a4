export const FORM_FILES_PATH = "/v1/form-files"
