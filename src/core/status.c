// SPDX-License-Identifier: Apache-2.0
// Names and meanings of statuses; the version.
#include "heddle.h"

#define ROW_NAME(name, value, text) [value] = #name,
#define ROW_TEXT(name, value, text) [value] = text,
static const char *const names[HD_STATUS_COUNT] = {HD_STATUS_MAP(ROW_NAME)};
static const char *const texts[HD_STATUS_COUNT] = {HD_STATUS_MAP(ROW_TEXT)};

static bool known(hd_status status)
{
    return (int)status >= 0 && status < HD_STATUS_COUNT;
}

const char *hd_status_name(hd_status status)
{
    return known(status) ? names[status] : "unknown status";
}

const char *hd_status_text(hd_status status)
{
    return known(status) ? texts[status] : "a status this version does not know";
}

#define TEXT(x)     #x
#define EXPANDED(x) TEXT(x)

int32_t hd_version_number(void)
{
    return HD_VERSION;
}

const char *hd_version(void)
{
    return EXPANDED(HD_VERSION_MAJOR) "." EXPANDED(HD_VERSION_MINOR) "." EXPANDED(HD_VERSION_PATCH);
}
