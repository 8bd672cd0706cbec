# SPDX-License-Identifier: Apache-2.0
# cmake --install: headers, libraries, precompiled kernels, the CMake package, heddle.pc, the
# program and its peers, man pages, licence and docs.
include(CMakePackageConfigHelpers)

set(heddle_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
set(heddle_installed heddle_static heddle_model_static)
set_target_properties(heddle_static PROPERTIES EXPORT_NAME static)
set_target_properties(heddle_model_static PROPERTIES EXPORT_NAME model_static)
if(HEDDLE_SHARED)
    list(APPEND heddle_installed heddle_shared heddle_model_shared)
    set_target_properties(heddle_shared PROPERTIES EXPORT_NAME heddle)
    set_target_properties(heddle_model_shared PROPERTIES EXPORT_NAME model)
endif()

install(TARGETS ${heddle_installed} EXPORT heddle_targets)
install(FILES include/heddle.h include/heddle_operator.h include/heddle_comparison.h
              include/heddle_state.h include/heddle_exact.h include/heddle_probe.h
              include/heddle_model.h include/heddle_dlpack.h include/heddle_teaching.h include/heddle_algorithms.h
              include/heddle_complex.h TYPE INCLUDE)
install(DIRECTORY include/heddle TYPE INCLUDE)
install(EXPORT heddle_targets NAMESPACE heddle:: FILE heddleTargets.cmake
        DESTINATION ${heddle_package_dir})
configure_package_config_file(cmake/heddleConfig.cmake.in ${PROJECT_BINARY_DIR}/heddleConfig.cmake
                              INSTALL_DESTINATION ${heddle_package_dir})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/heddleConfig.cmake
              ${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake DESTINATION ${heddle_package_dir})

# pkg-config: what a static link needs besides the library is in Libs.private. The prefix is found
# from the place of the file, so that an installed tree may move.
set(heddle_pc_private "")
foreach(library IN LISTS heddle_installed_openmp CMAKE_DL_LIBS)
    if(IS_ABSOLUTE ${library})
        string(APPEND heddle_pc_private " ${library}")
    else()
        string(APPEND heddle_pc_private " -l${library}")
    endif()
endforeach()
file(RELATIVE_PATH heddle_pc_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
     ${CMAKE_INSTALL_PREFIX}/.)
configure_file(cmake/heddle.pc.in ${PROJECT_BINARY_DIR}/heddle.pc @ONLY)
configure_file(cmake/heddle_model.pc.in ${PROJECT_BINARY_DIR}/heddle_model.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/heddle.pc ${PROJECT_BINARY_DIR}/heddle_model.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# libheddle-mpi, which programs compiled by the wrapper of the same MPI link.
if(heddle_mpi_found)
    install(TARGETS ${heddle_mpi_libraries})
    install(FILES include/heddle_mpi.h TYPE INCLUDE)
    configure_file(cmake/heddle-mpi.pc.in ${PROJECT_BINARY_DIR}/heddle-mpi.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/heddle-mpi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

if(TARGET heddle_kernels)
    install(FILES ${PROJECT_BINARY_DIR}/${HEDDLE_KERNELS_NAME} DESTINATION ${CMAKE_INSTALL_LIBDIR}/heddle)
endif()
if(TARGET heddle_program)
    install(TARGETS heddle_program)
    if(TARGET heddle_mpi_program)
        install(TARGETS heddle_mpi_program)
    endif()
    install(DIRECTORY ${PROJECT_BINARY_DIR}/peers/ DESTINATION ${CMAKE_INSTALL_LIBDIR}/heddle/peers
            OPTIONAL FILES_MATCHING PATTERN "*.so")
endif()

foreach(section 1 3)
    heddle_glob(pages man/*.${section})
    install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()
install(FILES LICENSE README.md CHANGELOG.md TYPE DOC OPTIONAL)
# The links of the README lead to docs/ beside it.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md"
        PATTERN doxygen EXCLUDE)
