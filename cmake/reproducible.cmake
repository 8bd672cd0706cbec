# SPDX-License-Identifier: Apache-2.0
# The same sources give the same bytes, whichever folders they lie and are built in: no path of
# either is in what is installed, and archives have no dates. A debug build keeps its paths:
# debuggers look there. tests/tree/reproducible.sh compares.
include(CheckCCompilerFlag)

check_c_compiler_flag(-ffile-prefix-map=a=b HEDDLE_HAS_FILE_PREFIX_MAP)
if(HEDDLE_HAS_FILE_PREFIX_MAP)
    # The build may lie in the source's folder: gcc takes the last that fits, clang the longest.
    foreach(pair ${PROJECT_SOURCE_DIR}=heddle ${PROJECT_BINARY_DIR}=heddle-build)
        list(APPEND HEDDLE_FLAGS $<$<NOT:$<CONFIG:Debug>>:-ffile-prefix-map=${pair}>)
    endforeach()
endif()

# D: no dates and owners, which is not every ar's own choice.
set(CMAKE_C_ARCHIVE_CREATE "<CMAKE_AR> qcD <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_C_ARCHIVE_APPEND "<CMAKE_AR> qD <TARGET> <LINK_FLAGS> <OBJECTS>")
set(CMAKE_C_ARCHIVE_FINISH "<CMAKE_RANLIB> -D <TARGET>")
