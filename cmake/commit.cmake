# SPDX-License-Identifier: Apache-2.0
# heddle_commit: HEDDLE_COMMIT, or the commit of the git checkout that the sources are, or empty. A
# new commit configures the build again.

set(heddle_commit "${HEDDLE_COMMIT}")
find_package(Git QUIET)
if(heddle_commit STREQUAL "" AND GIT_FOUND)
    set(heddle_git ${GIT_EXECUTABLE} -c safe.directory=${PROJECT_SOURCE_DIR} -C ${PROJECT_SOURCE_DIR} rev-parse)
    # Not that of a project which the sources are a folder of.
    execute_process(COMMAND ${heddle_git} --show-prefix OUTPUT_VARIABLE heddle_git_prefix
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE heddle_git_failed)
    if(NOT heddle_git_failed AND heddle_git_prefix STREQUAL "")
        execute_process(COMMAND ${heddle_git} --short=7 HEAD OUTPUT_VARIABLE heddle_commit
                        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        execute_process(COMMAND ${heddle_git} --git-path logs/HEAD OUTPUT_VARIABLE heddle_git_log
                        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        get_filename_component(heddle_git_log "${heddle_git_log}" ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
        if(EXISTS ${heddle_git_log})
            set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${heddle_git_log})
        endif()
    endif()
endif()
