# SPDX-License-Identifier: Apache-2.0
# The target docs makes HTML pages of the public headers by doxygen, in docs/html of the build; with
# HEDDLE_DOCS they are part of the build and of the installation.
find_program(HEDDLE_DOXYGEN doxygen)
mark_as_advanced(HEDDLE_DOXYGEN)
if(HEDDLE_DOXYGEN)
    configure_file(docs/doxygen/Doxyfile.in ${PROJECT_BINARY_DIR}/Doxyfile @ONLY)
    if(HEDDLE_DOCS)
        set(heddle_docs_all ALL)
    endif()
    add_custom_target(docs ${heddle_docs_all}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/docs
        COMMAND ${HEDDLE_DOXYGEN} ${PROJECT_BINARY_DIR}/Doxyfile
        COMMAND ${CMAKE_COMMAND} -E echo "the pages begin at ${PROJECT_BINARY_DIR}/docs/html/index.html"
        VERBATIM)
    if(HEDDLE_DOCS AND HEDDLE_INSTALL)
        install(DIRECTORY ${PROJECT_BINARY_DIR}/docs/html DESTINATION ${CMAKE_INSTALL_DOCDIR})
    endif()
elseif(HEDDLE_DOCS)
    message(FATAL_ERROR "HEDDLE_DOCS needs doxygen, which was not found: apt-get install doxygen")
else()
    add_custom_target(docs
        COMMAND ${CMAKE_COMMAND} -E echo "doxygen not found: apt-get install doxygen, and configure again"
        COMMAND ${CMAKE_COMMAND} -E false VERBATIM)
endif()
